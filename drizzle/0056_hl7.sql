CREATE TABLE "hl7_feed" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"bot_id" uuid NOT NULL,
	"port" integer,
	"tls" boolean NOT NULL,
	"certificate" text,
	"addresses" text[] NOT NULL,
	"answer" text NOT NULL,
	"active" boolean NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"heard_at" timestamp (3) with time zone,
	"connections" smallint DEFAULT 0 NOT NULL,
	"received" bigint DEFAULT 0 NOT NULL,
	"repeated" bigint DEFAULT 0 NOT NULL,
	"refused" bigint DEFAULT 0 NOT NULL,
	"fault" text,
	"fault_at" timestamp (3) with time zone,
	"woken_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "hl7_message" (
	"project_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"feed_id" uuid NOT NULL,
	"seq" bigint NOT NULL,
	"control_id" text NOT NULL,
	"type" text NOT NULL,
	"fingerprint" text NOT NULL,
	"state" text NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"tries" smallint DEFAULT 0 NOT NULL,
	"size" integer NOT NULL,
	"text" text,
	"patients" text[] NOT NULL,
	"answer" text,
	"failure" text,
	CONSTRAINT "hl7_message_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE INDEX "hl7_feed_project" ON "hl7_feed" USING btree ("project_id");--> statement-breakpoint
CREATE UNIQUE INDEX "hl7_feed_port" ON "hl7_feed" USING btree ("port") WHERE "hl7_feed"."port" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "hl7_feed_certificate" ON "hl7_feed" USING btree ("certificate") WHERE "hl7_feed"."port" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "hl7_message_order" ON "hl7_message" USING btree ("project_id","feed_id","seq");--> statement-breakpoint
CREATE INDEX "hl7_message_again" ON "hl7_message" USING btree ("project_id","feed_id","fingerprint");--> statement-breakpoint
CREATE INDEX "hl7_message_waiting" ON "hl7_message" USING btree ("project_id","feed_id","seq") WHERE "hl7_message"."state" in ('waiting', 'running');--> statement-breakpoint
CREATE INDEX "hl7_message_failed" ON "hl7_message" USING btree ("project_id","feed_id","seq") WHERE "hl7_message"."state" = 'failed';--> statement-breakpoint
CREATE INDEX "hl7_message_age" ON "hl7_message" USING btree ("project_id","received_at");