-- On a server with millions of runs of events it is made before, by hand and CONCURRENTLY.
CREATE INDEX IF NOT EXISTS "bot_run_event" ON "bot_run" USING btree ("project_id",("input_headers"->>'idempotency-key')) WHERE "bot_run"."input_headers"->>'idempotency-key' is not null;
