ALTER TABLE "resource" ADD COLUMN "sort_end" timestamp (3) with time zone DEFAULT 'infinity';--> statement-breakpoint
CREATE INDEX "audit_event_action" ON "audit_event" USING btree ("project_id","action" collate "C","at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "audit_event_actor" ON "audit_event" USING btree ("project_id","actor","action" collate "C","at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "audit_event_failure" ON "audit_event" USING btree ("project_id","at" DESC NULLS LAST,"id") WHERE "audit_event"."outcome" <> 0;--> statement-breakpoint
-- From here on written by hand: members by name as the search sorts them (lib/domain/store/search-order.ts), on their partition alone.
CREATE INDEX "resource_member_name" ON "resource_project_membership" ("project_id", (left(coalesce("content" #>> '{profile,display}', "content" #>> '{user,display}'), 256) collate "und-x-icu"), "id") WHERE NOT "deleted";--> statement-breakpoint
CREATE INDEX "resource_member_name_down" ON "resource_project_membership" ("project_id", (left(coalesce("content" #>> '{profile,display}', "content" #>> '{user,display}'), 256) collate "und-x-icu") DESC NULLS LAST, "id") WHERE NOT "deleted";
--> statement-breakpoint
-- Dates longer than a day: those that may begin long before a search's first day and match it (lib/domain/store/principal-date.ts).
CREATE INDEX "resource_long" ON "resource" ("project_id", "type_id", "sort_end") WHERE NOT "deleted" AND "sort_end" AT TIME ZONE 'UTC' > "sort_date" AT TIME ZONE 'UTC' + interval '1 day';
