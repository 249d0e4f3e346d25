CREATE TABLE "sign_in_link" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid,
	"address_hash" text NOT NULL,
	"secret_hash" text NOT NULL,
	"code_hash" text NOT NULL,
	"code_tries" integer DEFAULT 0 NOT NULL,
	"request" jsonb NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
