CREATE TABLE "account_change" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"user_id" uuid NOT NULL,
	"scope" uuid NOT NULL,
	"project_id" uuid,
	"membership_id" uuid,
	"asked_by" text NOT NULL,
	"detail" jsonb NOT NULL,
	"stop_hash" text NOT NULL,
	"confirm_hash" text,
	"confirmed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"outcome" text
);
--> statement-breakpoint
CREATE UNIQUE INDEX "account_change_open" ON "account_change" USING btree ("user_id","kind") WHERE "account_change"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "account_change_due" ON "account_change" USING btree ("due_at") WHERE "account_change"."ended_at" is null;