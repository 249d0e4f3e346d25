CREATE TABLE "bot_event" (
	"project_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"bot_id" uuid NOT NULL,
	"trigger" text NOT NULL,
	"key" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"input" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "bot_event_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "bot_schedule" (
	"project_id" uuid NOT NULL,
	"bot_id" uuid NOT NULL,
	"times" text NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL,
	"last_at" timestamp (3) with time zone,
	"missed_since" timestamp (3) with time zone,
	"missed" integer DEFAULT 0 NOT NULL,
	"note" text,
	CONSTRAINT "bot_schedule_project_id_bot_id_pk" PRIMARY KEY("project_id","bot_id")
);
--> statement-breakpoint
CREATE TABLE "dead_letter" (
	"project_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"bot_id" uuid,
	"trigger" text NOT NULL,
	"job" jsonb NOT NULL,
	"focus" text NOT NULL,
	"attempts" integer NOT NULL,
	"first_failed_at" timestamp (3) with time zone NOT NULL,
	"last_failed_at" timestamp (3) with time zone NOT NULL,
	"message" text NOT NULL,
	"fingerprint" text NOT NULL,
	CONSTRAINT "dead_letter_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "bot_event_key" ON "bot_event" USING btree ("project_id","bot_id","key");--> statement-breakpoint
CREATE INDEX "bot_event_waiting" ON "bot_event" USING btree ("project_id") WHERE "bot_event"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "bot_event_ended" ON "bot_event" USING btree ("ended_at");--> statement-breakpoint
CREATE INDEX "bot_schedule_next" ON "bot_schedule" USING btree ("next_at");--> statement-breakpoint
CREATE INDEX "dead_letter_time" ON "dead_letter" USING btree ("project_id","last_failed_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "dead_letter_bot" ON "dead_letter" USING btree ("project_id","bot_id","last_failed_at" DESC NULLS LAST,"id");