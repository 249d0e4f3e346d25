ALTER TABLE "bot_run" ADD COLUMN "input_headers" jsonb;
