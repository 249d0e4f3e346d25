CREATE TABLE "login_cutoff" (
	"user_ref" text PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
DROP INDEX "login_membership";--> statement-breakpoint
DROP INDEX "login_user";--> statement-breakpoint
CREATE INDEX "login_client" ON "login" USING btree ("project_id","client_id") WHERE auth_method <> 'client';--> statement-breakpoint
CREATE INDEX "login_membership" ON "login" USING btree ("project_id","membership_id","last_used_at");--> statement-breakpoint
CREATE INDEX "login_user" ON "login" USING btree ("user_ref","last_used_at");