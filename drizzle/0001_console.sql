CREATE TABLE "bulk_job" (
	"project_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"actor_project_id" uuid NOT NULL,
	"actor_membership_id" uuid NOT NULL,
	"actor" text NOT NULL,
	"actor_display" text,
	"login_id" uuid,
	"on_behalf_of" text,
	"request_id" text NOT NULL,
	"remote_address" text NOT NULL,
	"idempotency_key" text,
	"request_hash" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "bulk_job_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "bulk_job_row" (
	"project_id" uuid NOT NULL,
	"job_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"who" text NOT NULL,
	"membership_id" uuid,
	"input_sealed" text,
	"state" text DEFAULT 'waiting' NOT NULL,
	"outcome" text,
	"field" text,
	"message" text,
	CONSTRAINT "bulk_job_row_project_id_job_id_number_pk" PRIMARY KEY("project_id","job_id","number")
);
--> statement-breakpoint
ALTER TABLE "one_time_link" ADD COLUMN "revoked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "one_time_link" ADD COLUMN "handed_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "bulk_job_key" ON "bulk_job" USING btree ("project_id","actor_membership_id","idempotency_key");--> statement-breakpoint
CREATE INDEX "bulk_job_time" ON "bulk_job" USING btree ("project_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "bulk_job_open" ON "bulk_job" USING btree ("created_at") WHERE "bulk_job"."finished_at" is null;--> statement-breakpoint
CREATE INDEX "bulk_job_row_waiting" ON "bulk_job_row" USING btree ("project_id","job_id","number") WHERE "bulk_job_row"."state" = 'waiting';