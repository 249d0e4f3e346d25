CREATE TABLE "search_parameter" (
	"project_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"id" text collate "C" NOT NULL,
	"type_id" smallint NOT NULL,
	"code" text collate "C" NOT NULL,
	"definition" jsonb NOT NULL,
	"state" text NOT NULL,
	CONSTRAINT "search_parameter_project_id_number_pk" PRIMARY KEY("project_id","number")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "search_parameter_code" ON "search_parameter" USING btree ("project_id","type_id","code") WHERE state <> 'ended';