CREATE TABLE "bulk_export" (
	"project_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"membership_id" uuid NOT NULL,
	"client_id" text,
	"scope" text NOT NULL,
	"patient" text,
	"request" text NOT NULL,
	"asked" jsonb NOT NULL,
	"as_of" timestamp (3) with time zone NOT NULL,
	"horizon" text NOT NULL,
	"types" jsonb,
	"members" jsonb,
	"place" jsonb NOT NULL,
	"pieces" jsonb DEFAULT '[]' NOT NULL,
	"step" integer DEFAULT 0 NOT NULL,
	"done" boolean DEFAULT false NOT NULL,
	"looked_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "bulk_export_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE INDEX "bulk_export_end" ON "bulk_export" USING btree ("project_id","expires_at");