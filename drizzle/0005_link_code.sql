ALTER TABLE "one_time_link" ADD COLUMN "code_hash" text;--> statement-breakpoint
ALTER TABLE "one_time_link" ADD COLUMN "code_tries" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "one_time_link" ADD COLUMN "code_secret_hash" text;--> statement-breakpoint
CREATE INDEX "user_login_email" ON "user_login" USING btree ("email_lower");