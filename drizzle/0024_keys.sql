CREATE TABLE "api_key" (
	"project_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"membership_id" uuid NOT NULL,
	"user_ref" text NOT NULL,
	"name" text NOT NULL,
	"secret_hash" text NOT NULL,
	"hint" text NOT NULL,
	"scope" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "api_key_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "client_named_secret" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"secret_hash" text NOT NULL,
	"hint" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"warned_days" smallint
);
--> statement-breakpoint
CREATE TABLE "scim_given" (
	"project_id" uuid NOT NULL,
	"membership_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"access" jsonb NOT NULL,
	"admin" boolean NOT NULL,
	CONSTRAINT "scim_given_project_id_membership_id_connection_id_pk" PRIMARY KEY("project_id","membership_id","connection_id")
);
--> statement-breakpoint
CREATE TABLE "scim_group" (
	"project_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"display_name" text NOT NULL,
	"external_id" text,
	"version" integer DEFAULT 1 NOT NULL,
	"access" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"admin" boolean DEFAULT false NOT NULL,
	"mapped_by" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "scim_group_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "scim_group_member" (
	"project_id" uuid NOT NULL,
	"group_id" uuid NOT NULL,
	"membership_id" uuid NOT NULL,
	CONSTRAINT "scim_group_member_project_id_group_id_membership_id_pk" PRIMARY KEY("project_id","group_id","membership_id")
);
--> statement-breakpoint
CREATE INDEX "api_key_membership" ON "api_key" USING btree ("project_id","membership_id");--> statement-breakpoint
CREATE INDEX "api_key_user" ON "api_key" USING btree ("project_id","user_ref");--> statement-breakpoint
CREATE INDEX "client_named_secret_client" ON "client_named_secret" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "client_named_secret_ends" ON "client_named_secret" USING btree ("expires_at") WHERE "client_named_secret"."expires_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "scim_group_name" ON "scim_group" USING btree ("project_id","connection_id",lower("display_name"));--> statement-breakpoint
CREATE UNIQUE INDEX "scim_group_external" ON "scim_group" USING btree ("project_id","connection_id","external_id");--> statement-breakpoint
CREATE INDEX "scim_group_member_of" ON "scim_group_member" USING btree ("project_id","membership_id");