CREATE TABLE "upkeep" (
	"name" text PRIMARY KEY NOT NULL,
	"progress" jsonb NOT NULL,
	"at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "mail_unsent" ON "mail" USING btree ("created_at") WHERE "mail"."params_sealed" is not null;