CREATE TABLE "consent" (
	"project_id" uuid NOT NULL,
	"user_ref" text NOT NULL,
	"client_id" uuid NOT NULL,
	"scope" text NOT NULL,
	"granted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "consent_project_id_user_ref_client_id_pk" PRIMARY KEY("project_id","user_ref","client_id")
);
