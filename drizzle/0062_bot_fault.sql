CREATE TABLE "bot_fault" (
	"project_id" uuid NOT NULL,
	"fingerprint" text NOT NULL,
	"resolved_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"resolved_by" text,
	CONSTRAINT "bot_fault_project_id_fingerprint_pk" PRIMARY KEY("project_id","fingerprint")
);
--> statement-breakpoint
CREATE INDEX "bot_fault_age" ON "bot_fault" USING btree ("resolved_at");