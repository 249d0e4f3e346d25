CREATE TABLE "async_job" (
	"project_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"membership_id" uuid NOT NULL,
	"status" text NOT NULL,
	"request" text NOT NULL,
	"requested_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"alive_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"output" text,
	CONSTRAINT "async_job_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE INDEX "async_job_open" ON "async_job" USING btree ("alive_at") WHERE "async_job"."finished_at" is null;--> statement-breakpoint
CREATE INDEX "async_job_finished" ON "async_job" USING btree ("finished_at");--> statement-breakpoint
CREATE INDEX "membership_key_id" ON "membership_key" USING btree ("membership_id");