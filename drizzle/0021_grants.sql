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
ALTER TABLE "login" ADD COLUMN "needs_proof" boolean DEFAULT false NOT NULL;