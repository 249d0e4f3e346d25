CREATE TABLE "device_request" (
	"device_hash" text PRIMARY KEY NOT NULL,
	"user_code_hash" text NOT NULL,
	"project_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"scope" text NOT NULL,
	"needs_proof" boolean NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"poll_seconds" smallint NOT NULL,
	"polled_at" timestamp (3) with time zone,
	"user_id" uuid,
	"membership_id" uuid,
	"auth_time" timestamp (3) with time zone,
	"auth_method" text,
	"factor_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "provider_secret" (
	"project_id" uuid NOT NULL,
	"owner" text NOT NULL,
	"token_url" text NOT NULL,
	"value_sealed" text NOT NULL,
	CONSTRAINT "provider_secret_project_id_owner_pk" PRIMARY KEY("project_id","owner")
);
--> statement-breakpoint
CREATE TABLE "pushed_request" (
	"project_id" uuid NOT NULL,
	"hash" text NOT NULL,
	"client_id" uuid NOT NULL,
	"params" text NOT NULL,
	"needs_proof" boolean NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "pushed_request_project_id_hash_pk" PRIMARY KEY("project_id","hash")
);
--> statement-breakpoint
ALTER TABLE "login" ADD COLUMN "needs_proof" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "device_request_user_code" ON "device_request" USING btree ("user_code_hash");