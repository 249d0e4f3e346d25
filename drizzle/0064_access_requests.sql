CREATE TABLE "access_request" (
	"project_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"membership_id" uuid NOT NULL,
	"user_ref" text NOT NULL,
	"profile_ref" text NOT NULL,
	"type" text NOT NULL,
	"interaction" text NOT NULL,
	"decision_id" uuid,
	"reason" text NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"decided_by" text,
	"decided_by_display" text,
	"decided_by_membership" uuid,
	"answer" text,
	"entry" jsonb,
	"ends_at" timestamp (3) with time zone,
	"due_at" timestamp (3) with time zone,
	CONSTRAINT "access_request_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "access_request_open" ON "access_request" USING btree ("project_id","membership_id","type","interaction") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "access_request_member" ON "access_request" USING btree ("project_id","membership_id","created_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "access_request_time" ON "access_request" USING btree ("project_id","created_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "access_request_due" ON "access_request" USING btree ("project_id","due_at");