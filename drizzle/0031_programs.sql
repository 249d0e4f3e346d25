CREATE TABLE "client_request" (
	"project_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"slot" smallint NOT NULL,
	"at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"method" text NOT NULL,
	"route" text NOT NULL,
	"status" integer NOT NULL,
	"remote_address" text NOT NULL,
	CONSTRAINT "client_request_project_id_client_id_slot_pk" PRIMARY KEY("project_id","client_id","slot")
);
--> statement-breakpoint
CREATE TABLE "client_traffic" (
	"project_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"done" bigint DEFAULT 0 NOT NULL,
	"failed" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "client_traffic_project_id_client_id_pk" PRIMARY KEY("project_id","client_id")
);
--> statement-breakpoint
CREATE TABLE "registered_client" (
	"project_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"token_id" uuid NOT NULL,
	"token_name" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "registered_client_project_id_client_id_pk" PRIMARY KEY("project_id","client_id")
);
--> statement-breakpoint
CREATE TABLE "registration_token" (
	"project_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"secret_hash" text NOT NULL,
	"hint" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"most" integer NOT NULL,
	"used" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "registration_token_project_id_id_pk" PRIMARY KEY("project_id","id")
);
