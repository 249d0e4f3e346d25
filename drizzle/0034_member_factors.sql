-- By hand: in two steps, so that what is there says null, "not looked at yet", until the sweep has, and nothing is written now.
ALTER TABLE "membership_key" ADD COLUMN "factors" text;--> statement-breakpoint
ALTER TABLE "membership_key" ALTER COLUMN "factors" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "membership_key" ADD COLUMN "entered_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "membership_key" ADD COLUMN "warned_of" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "membership_key_factors" ON "membership_key" USING btree ("project_id","factors");--> statement-breakpoint
CREATE INDEX "membership_key_not_after" ON "membership_key" USING btree ("project_id","not_after") WHERE "membership_key"."not_after" is not null;--> statement-breakpoint
CREATE INDEX "membership_key_not_before" ON "membership_key" USING btree ("project_id","not_before") WHERE "membership_key"."not_before" is not null;--> statement-breakpoint
CREATE INDEX "membership_key_text" ON "membership_key" USING btree ("project_id",("membership_id"::text) collate "C");
