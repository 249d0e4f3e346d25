CREATE TABLE "access_review" (
	"project_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"scope" jsonb NOT NULL,
	"reviewers" jsonb NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"remind_at" timestamp (3) with time zone,
	"total" integer NOT NULL,
	"decided" integer DEFAULT 0 NOT NULL,
	"applied" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"created_by" text NOT NULL,
	"created_by_display" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"closed_by" text,
	"closed_by_display" text,
	"actor_project_id" uuid,
	"actor_membership_id" uuid,
	"login_id" uuid,
	"on_behalf_of" text,
	"request_id" text,
	"remote_address" text,
	"closed_at" timestamp (3) with time zone,
	"jws" text,
	CONSTRAINT "access_review_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "access_review_row" (
	"project_id" uuid NOT NULL,
	"review_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"membership_id" uuid NOT NULL,
	"who" text NOT NULL,
	"user_ref" text NOT NULL,
	"profile_ref" text NOT NULL,
	"decision" text,
	"held" jsonb,
	"wanted" jsonb,
	"note" text,
	"decided_by" uuid,
	"decided_by_display" text,
	"decided_at" timestamp (3) with time zone,
	"ended" boolean DEFAULT false NOT NULL,
	"outcome" text,
	"message" text,
	CONSTRAINT "access_review_row_project_id_review_id_number_pk" PRIMARY KEY("project_id","review_id","number")
);
--> statement-breakpoint
CREATE INDEX "access_review_time" ON "access_review" USING btree ("project_id","created_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "access_review_remind" ON "access_review" USING btree ("project_id","remind_at");--> statement-breakpoint
CREATE UNIQUE INDEX "access_review_row_member" ON "access_review_row" USING btree ("project_id","review_id","membership_id");--> statement-breakpoint
CREATE INDEX "access_review_row_of_member" ON "access_review_row" USING btree ("project_id","membership_id");