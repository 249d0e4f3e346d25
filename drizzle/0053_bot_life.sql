CREATE TABLE "bot_sample" (
	"project_id" uuid NOT NULL,
	"bot_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"content_type" text NOT NULL,
	"input" text NOT NULL,
	"expects" text NOT NULL,
	"stubs" text,
	"author" text,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "bot_sample_project_id_bot_id_id_pk" PRIMARY KEY("project_id","bot_id","id")
);
--> statement-breakpoint
CREATE TABLE "bot_secret" (
	"project_id" uuid NOT NULL,
	"bot_id" uuid NOT NULL,
	"name" text NOT NULL,
	"value_sealed" text NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "bot_secret_project_id_bot_id_name_pk" PRIMARY KEY("project_id","bot_id","name")
);
--> statement-breakpoint
ALTER TABLE "bot_version" ADD COLUMN "note" text;--> statement-breakpoint
ALTER TABLE "bot_version" ADD COLUMN "from_number" integer;--> statement-breakpoint
CREATE UNIQUE INDEX "bot_sample_name" ON "bot_sample" USING btree ("project_id","bot_id","name");