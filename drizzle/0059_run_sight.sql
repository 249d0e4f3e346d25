-- On a server with millions of runs the first two indexes are made before, by hand and CONCURRENTLY. The third has no entry of what is there.
ALTER TABLE "bot_run" ADD COLUMN "recorded_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "bot_run" ALTER COLUMN "recorded_at" SET DEFAULT now();--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "bot_run_failed_bot" ON "bot_run" USING btree ("project_id","bot_id","started_at" DESC NULLS LAST,"id") WHERE "bot_run"."status" <> 'ok';--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "bot_run_fingerprint" ON "bot_run" USING btree ("project_id","fingerprint","started_at" DESC NULLS LAST,"id") WHERE "bot_run"."fingerprint" is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "bot_run_recorded" ON "bot_run" USING btree ("project_id","recorded_at","id") WHERE "bot_run"."recorded_at" is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "bot_hour_bot" ON "bot_hour" USING btree ("project_id","bot_id","hour");
