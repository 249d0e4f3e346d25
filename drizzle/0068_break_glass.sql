CREATE TABLE "break_glass" (
	"project_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"membership_id" uuid NOT NULL,
	"user_ref" text NOT NULL,
	"profile_ref" text NOT NULL,
	"policy" text NOT NULL,
	"reason" text NOT NULL,
	"opened_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"ended_by" text,
	"ender_ref" text,
	"closed_at" timestamp (3) with time zone,
	"closer_ref" text,
	"closer_display" text,
	"closer_membership" uuid,
	"note" text,
	CONSTRAINT "break_glass_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "break_glass_open" ON "break_glass" USING btree ("project_id","membership_id") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "break_glass_member" ON "break_glass" USING btree ("project_id","membership_id","opened_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "break_glass_time" ON "break_glass" USING btree ("project_id","opened_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "break_glass_unclosed" ON "break_glass" USING btree ("project_id","opened_at" DESC NULLS LAST,"id") WHERE closed_at is null;--> statement-breakpoint
CREATE INDEX "break_glass_due" ON "break_glass" USING btree ("project_id","ends_at") WHERE ended_at is null;