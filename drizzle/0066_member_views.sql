CREATE TABLE "member_view" (
	"project_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"login_id" uuid NOT NULL,
	"viewer_id" uuid NOT NULL,
	"viewer_display" text,
	"membership_id" uuid NOT NULL,
	"user_ref" text NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "member_view_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE INDEX "member_view_member" ON "member_view" USING btree ("project_id","membership_id","created_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "member_view_viewer" ON "member_view" USING btree ("project_id","viewer_id","created_at");--> statement-breakpoint
CREATE INDEX "member_view_login" ON "member_view" USING btree ("project_id","login_id");
