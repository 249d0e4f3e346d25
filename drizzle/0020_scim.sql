CREATE TABLE "scim_connection" (
	"project_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"client_id" uuid NOT NULL,
	"membership_id" uuid NOT NULL,
	"send_email" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"requests" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "scim_connection_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "scim_member" (
	"project_id" uuid NOT NULL,
	"membership_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	CONSTRAINT "scim_member_project_id_membership_id_pk" PRIMARY KEY("project_id","membership_id")
);
--> statement-breakpoint
CREATE TABLE "scim_request" (
	"project_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"slot" smallint NOT NULL,
	"at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"status" integer NOT NULL,
	"error" text,
	CONSTRAINT "scim_request_project_id_connection_id_slot_pk" PRIMARY KEY("project_id","connection_id","slot")
);
--> statement-breakpoint
CREATE TABLE "scim_token" (
	"project_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"secret_hash" text NOT NULL,
	"hint" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "scim_token_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE INDEX "scim_member_connection" ON "scim_member" USING btree ("project_id","connection_id");--> statement-breakpoint
CREATE INDEX "scim_token_connection" ON "scim_token" USING btree ("project_id","connection_id");