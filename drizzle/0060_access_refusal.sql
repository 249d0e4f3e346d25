CREATE TABLE "access_refusal" (
	"project_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"membership_id" uuid NOT NULL,
	"profile" text NOT NULL,
	"caller" text,
	"client_id" text,
	"scope" text NOT NULL,
	"request_id" text NOT NULL,
	"type" text NOT NULL,
	"resource_id" text,
	"interaction" text NOT NULL,
	"text" text NOT NULL,
	CONSTRAINT "access_refusal_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE INDEX "access_refusal_member" ON "access_refusal" USING btree ("project_id","membership_id","at");--> statement-breakpoint
CREATE INDEX "access_refusal_time" ON "access_refusal" USING btree ("project_id","at");--> statement-breakpoint
CREATE INDEX "access_refusal_resource" ON "access_refusal" USING btree ("project_id","type","resource_id");