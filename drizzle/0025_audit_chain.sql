CREATE TABLE "audit_chain" (
	"project_id" uuid PRIMARY KEY NOT NULL,
	"seq" bigint DEFAULT 0 NOT NULL,
	"hash" text NOT NULL,
	"start_seq" bigint DEFAULT 0 NOT NULL,
	"start_hash" text NOT NULL,
	"complete_to" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "audit_head" (
	"project_id" uuid NOT NULL,
	"seq" bigint NOT NULL,
	"jws" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "audit_head_project_id_seq_pk" PRIMARY KEY("project_id","seq")
);
--> statement-breakpoint
CREATE TABLE "audit_key" (
	"kid" text PRIMARY KEY NOT NULL,
	"public_jwk" jsonb NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_seal" (
	"project_id" uuid NOT NULL,
	"first" bigint NOT NULL,
	"last" bigint NOT NULL,
	"events" uuid[] NOT NULL,
	"hashes" "bytea" NOT NULL,
	"newest" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "audit_seal_project_id_first_pk" PRIMARY KEY("project_id","first")
);
--> statement-breakpoint
CREATE INDEX "audit_seal_newest" ON "audit_seal" USING btree ("project_id","newest");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "audit_event_behalf" ON "audit_event" USING btree ("project_id","on_behalf_of","at" DESC NULLS LAST) WHERE "audit_event"."on_behalf_of" is not null;