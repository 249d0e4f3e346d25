CREATE INDEX IF NOT EXISTS "one_time_link_member" ON "one_time_link" USING hash ("membership_id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "mail_member" ON "mail" USING hash ("membership_id");--> statement-breakpoint
-- By hand: dates that last, with both their ends, so that what begins before a search's first day and reaches into it is found beside
-- however many moments (lib/domain/store/principal-date.ts). Made CONCURRENTLY on each partition before, those become parts of it.
CREATE INDEX IF NOT EXISTS "resource_lasting" ON "resource" ("project_id", "type_id", "sort_date", "sort_end") WHERE NOT "deleted" AND "sort_end" AT TIME ZONE 'UTC' >= "sort_date" AT TIME ZONE 'UTC' + interval '1 second';
