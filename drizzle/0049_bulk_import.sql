CREATE TABLE "bulk_import" (
	"project_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"membership_id" uuid NOT NULL,
	"client_id" text,
	"scope" text NOT NULL,
	"patient" text,
	"request_id" text NOT NULL,
	"remote_address" text NOT NULL,
	"done" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "bulk_import_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "bulk_import_error" (
	"project_id" uuid NOT NULL,
	"import_id" uuid NOT NULL,
	"file" integer NOT NULL,
	"line" integer NOT NULL,
	"outcome" text NOT NULL,
	CONSTRAINT "bulk_import_error_project_id_import_id_file_line_pk" PRIMARY KEY("project_id","import_id","file","line")
);
--> statement-breakpoint
CREATE TABLE "bulk_import_file" (
	"project_id" uuid NOT NULL,
	"import_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"type" text NOT NULL,
	"url_sealed" text NOT NULL,
	"wanted_etag" text,
	"etag" text,
	"packed" boolean DEFAULT false NOT NULL,
	"line" integer DEFAULT 0 NOT NULL,
	"place" bigint DEFAULT 0 NOT NULL,
	"hash" text DEFAULT '' NOT NULL,
	"taken" integer DEFAULT 0 NOT NULL,
	"refused" integer DEFAULT 0 NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"retry_at" timestamp (3) with time zone,
	"done" boolean DEFAULT false NOT NULL,
	CONSTRAINT "bulk_import_file_project_id_import_id_number_pk" PRIMARY KEY("project_id","import_id","number")
);
--> statement-breakpoint
CREATE INDEX "bulk_import_end" ON "bulk_import" USING btree ("project_id","expires_at");