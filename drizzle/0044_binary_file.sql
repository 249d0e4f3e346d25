CREATE TABLE "binary_file" (
	"project_id" uuid NOT NULL,
	"key" uuid NOT NULL,
	"binary_id" uuid,
	"state" text NOT NULL,
	"place" text NOT NULL,
	"since" integer,
	"until" integer,
	"size" bigint,
	"sha256" text,
	"source_hash" text,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "binary_file_project_id_key_pk" PRIMARY KEY("project_id","key")
);
--> statement-breakpoint
CREATE INDEX "binary_file_binary" ON "binary_file" USING btree ("project_id","binary_id","since");--> statement-breakpoint
CREATE INDEX "binary_file_loose" ON "binary_file" USING btree ("project_id","at") WHERE "binary_file"."state" <> 'kept';