CREATE TABLE "code_system" (
	"project_id" uuid NOT NULL,
	"id" text collate "C" NOT NULL,
	"row_version" integer NOT NULL,
	"url" text collate "C" NOT NULL,
	"head" jsonb NOT NULL,
	CONSTRAINT "code_system_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "concept" (
	"project_id" uuid NOT NULL,
	"system_id" text collate "C" NOT NULL,
	"code" text collate "C" NOT NULL,
	"at" integer NOT NULL,
	"display" text,
	"definition" text,
	"sought" text collate "C" NOT NULL,
	"parents" text[] NOT NULL,
	"ancestors" text[] NOT NULL,
	"rest" jsonb NOT NULL,
	CONSTRAINT "concept_project_id_system_id_code_pk" PRIMARY KEY("project_id","system_id","code")
);
--> statement-breakpoint
CREATE INDEX "code_system_url" ON "code_system" USING btree ("project_id","url");--> statement-breakpoint
CREATE INDEX "concept_at" ON "concept" USING btree ("project_id","system_id","at");