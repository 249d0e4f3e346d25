CREATE TABLE "record_erasure" (
	"project_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"patient_id" text collate "C" NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"reason" text NOT NULL,
	"asked_by" text NOT NULL,
	"asked_by_display" text,
	"request_id" text NOT NULL,
	"remote_address" text NOT NULL,
	"progress" jsonb NOT NULL,
	"counts" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "record_erasure_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE INDEX "record_erasure_time" ON "record_erasure" USING btree ("project_id","created_at" DESC NULLS LAST);