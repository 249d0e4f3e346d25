CREATE TABLE "app_launch" (
	"project_id" uuid NOT NULL,
	"hash" text NOT NULL,
	"client_id" uuid NOT NULL,
	"user_ref" text NOT NULL,
	"context" jsonb NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "app_launch_project_id_hash_pk" PRIMARY KEY("project_id","hash")
);
--> statement-breakpoint
ALTER TABLE "login" ADD COLUMN "launch" jsonb;--> statement-breakpoint
ALTER TABLE "user_login" ADD COLUMN "self_made" boolean DEFAULT false NOT NULL;