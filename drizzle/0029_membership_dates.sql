ALTER TABLE "membership_key" ADD COLUMN "not_before" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "membership_key" ADD COLUMN "not_after" timestamp (3) with time zone;