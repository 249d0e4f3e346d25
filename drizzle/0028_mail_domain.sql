CREATE TABLE "mail_domain" (
	"project_id" uuid NOT NULL,
	"domain" text NOT NULL,
	"challenge" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"verified_at" timestamp (3) with time zone,
	"checked_at" timestamp (3) with time zone,
	"missing_since" timestamp (3) with time zone,
	"enforced" boolean DEFAULT false NOT NULL,
	"joins" jsonb,
	CONSTRAINT "mail_domain_project_id_domain_pk" PRIMARY KEY("project_id","domain")
);
--> statement-breakpoint
ALTER TABLE "login" ADD COLUMN "within_project" boolean DEFAULT false NOT NULL;