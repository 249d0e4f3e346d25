ALTER TABLE "bot_running" ADD COLUMN "stopped_by" text;
