-- On a server with millions of runs the three indexes are made before, by hand and CONCURRENTLY.
ALTER TABLE "bot_run" ADD COLUMN "trace_id" text;--> statement-breakpoint
ALTER TABLE "bot_run" ADD COLUMN "replay_of" uuid;--> statement-breakpoint
ALTER TABLE "bot_run" ADD COLUMN "cpu_us" integer;--> statement-breakpoint
ALTER TABLE "bot_run" ADD COLUMN "heap_kb" integer;--> statement-breakpoint
ALTER TABLE "bot_run" ADD COLUMN "failure" text;--> statement-breakpoint
ALTER TABLE "bot_run" ADD COLUMN "fingerprint" text;--> statement-breakpoint
ALTER TABLE "bot_run" ADD COLUMN "input_type" text;--> statement-breakpoint
ALTER TABLE "bot_run" ADD COLUMN "input" text;--> statement-breakpoint
ALTER TABLE "bot_run" ADD COLUMN "input_bytes" integer;--> statement-breakpoint
ALTER TABLE "bot_run" ADD COLUMN "output_type" text;--> statement-breakpoint
ALTER TABLE "bot_run" ADD COLUMN "output" text;--> statement-breakpoint
ALTER TABLE "bot_run" ADD COLUMN "output_bytes" integer;--> statement-breakpoint
ALTER TABLE "bot_run" ADD COLUMN "calls" jsonb;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "bot_run_time" ON "bot_run" USING btree ("project_id","started_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "bot_run_failed" ON "bot_run" USING btree ("project_id","started_at" DESC NULLS LAST,"id") WHERE "bot_run"."status" <> 'ok';--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "bot_run_replay" ON "bot_run" USING btree ("project_id","replay_of","version") WHERE "bot_run"."replay_of" is not null;