CREATE TABLE "listening" (
	"project_id" uuid NOT NULL,
	"subscription_id" text collate "C" NOT NULL,
	"membership_id" uuid NOT NULL,
	"feed" text collate "C" NOT NULL,
	"holder" uuid,
	"seen_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "listening_project_id_subscription_id_pk" PRIMARY KEY("project_id","subscription_id")
);
--> statement-breakpoint
CREATE INDEX "listening_member" ON "listening" USING btree ("project_id","membership_id");