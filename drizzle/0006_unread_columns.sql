ALTER TABLE "login" DROP COLUMN "expires_at";--> statement-breakpoint
ALTER TABLE "one_time_link" DROP COLUMN "redirect_uri";