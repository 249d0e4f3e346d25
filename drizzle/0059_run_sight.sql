-- On a server with millions of runs the first two indexes are made before, by hand and CONCURRENTLY. The third has no entry of what is there.
ALTER TABLE "bot_run" ADD COLUMN "recorded_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "bot_run" ALTER COLUMN "recorded_at" SET DEFAULT now();--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "bot_run_failed_bot" ON "bot_run" USING btree ("project_id","bot_id","started_at" DESC NULLS LAST,"id") WHERE "bot_run"."status" <> 'ok';--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "bot_run_fingerprint" ON "bot_run" USING btree ("project_id","fingerprint","started_at" DESC NULLS LAST,"id") WHERE "bot_run"."fingerprint" is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "bot_run_recorded" ON "bot_run" USING btree ("project_id","recorded_at","id") WHERE "bot_run"."recorded_at" is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "bot_hour_bot" ON "bot_hour" USING btree ("project_id","bot_id","hour");--> statement-breakpoint
CREATE TABLE "bot_alert" (
	"project_id" uuid NOT NULL,
	"bot_id" uuid NOT NULL,
	"failure_percent" integer,
	"failure_hours" integer,
	"failure_minimum" integer,
	"silent_hours" integer,
	"recipients" text[],
	"set_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"failing_since" timestamp (3) with time zone,
	"silent_since" timestamp (3) with time zone,
	"checked_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "bot_alert_project_id_bot_id_pk" PRIMARY KEY("project_id","bot_id")
);
--> statement-breakpoint
CREATE INDEX "bot_alert_checked" ON "bot_alert" USING btree ("checked_at");
