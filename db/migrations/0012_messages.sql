CREATE TABLE `incoming_payments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`isp_id` integer NOT NULL,
	`source_id` integer,
	`provider` text NOT NULL,
	`external_id` text NOT NULL,
	`variant` integer DEFAULT 0 NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`paid_at` integer,
	`reference` text,
	`payer` text,
	`subscriber_id` integer,
	`payment_id` integer,
	`body_hash` blob NOT NULL,
	`answer` text,
	`raw_sealed` blob,
	`raw_until` integer,
	`received_at` integer NOT NULL,
	`ended_at` integer,
	`ended_by` integer,
	FOREIGN KEY (`isp_id`) REFERENCES `isps`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`source_id`) REFERENCES `payment_sources`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`subscriber_id`) REFERENCES `subscribers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`ended_by`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "incoming_payments_state" CHECK("incoming_payments"."state" IN ('booked', 'unmatched', 'assigned', 'dismissed', 'told'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `incoming_payments_external` ON `incoming_payments` (`isp_id`,`provider`,`external_id`,`variant`);--> statement-breakpoint
CREATE INDEX `incoming_payments_isp` ON `incoming_payments` (`isp_id`,`id`);--> statement-breakpoint
CREATE INDEX `incoming_payments_provider` ON `incoming_payments` (`isp_id`,`provider`,`id`);--> statement-breakpoint
CREATE INDEX `incoming_payments_open` ON `incoming_payments` (`isp_id`,`id`) WHERE state IN ('unmatched', 'told') AND ended_at IS NULL;--> statement-breakpoint
CREATE INDEX `incoming_payments_subscriber` ON `incoming_payments` (`subscriber_id`) WHERE subscriber_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `incoming_payments_payment` ON `incoming_payments` (`payment_id`) WHERE payment_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `incoming_payments_raw` ON `incoming_payments` (`raw_until`) WHERE raw_sealed IS NOT NULL;--> statement-breakpoint
CREATE TABLE `bank_files` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`isp_id` integer NOT NULL,
	`name` text NOT NULL,
	`columns` text NOT NULL,
	`lines` integer NOT NULL,
	`created_at` integer NOT NULL,
	`created_by` integer,
	FOREIGN KEY (`isp_id`) REFERENCES `isps`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `bank_files_isp` ON `bank_files` (`isp_id`,`id`);--> statement-breakpoint
CREATE TABLE `channels` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`isp_id` integer,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`address` text NOT NULL,
	`is_sms` integer DEFAULT 0 NOT NULL,
	`settings` text NOT NULL,
	`secrets_sealed` blob,
	`per_minute` integer NOT NULL,
	`passes_id` integer DEFAULT 0 NOT NULL,
	`allow_local` integer DEFAULT 0 NOT NULL,
	`disabled_at` integer,
	`down_since` integer,
	`down_reason` text,
	`try_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`isp_id`) REFERENCES `isps`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "channels_flags" CHECK("channels"."is_sms" IN (0, 1) AND "channels"."passes_id" IN (0, 1) AND "channels"."allow_local" IN (0, 1)),
	CONSTRAINT "channels_rate" CHECK("channels"."per_minute" > 0)
) STRICT;
--> statement-breakpoint
CREATE INDEX `channels_isp` ON `channels` (`isp_id`);--> statement-breakpoint
CREATE TABLE `event_counts` (
	`subscriber_id` integer PRIMARY KEY NOT NULL,
	`seq` integer NOT NULL,
	FOREIGN KEY (`subscriber_id`) REFERENCES `subscribers`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`uid` text NOT NULL,
	`type` text NOT NULL,
	`isp_id` integer,
	`subscriber_id` integer,
	`seq` integer,
	`due_key` text,
	`at` integer NOT NULL,
	`written_at` integer NOT NULL,
	`data` text NOT NULL,
	FOREIGN KEY (`subscriber_id`) REFERENCES `subscribers`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "events_seq" CHECK(("events"."subscriber_id" IS NULL) = ("events"."seq" IS NULL))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `events_uid` ON `events` (`uid`);--> statement-breakpoint
CREATE UNIQUE INDEX `events_due` ON `events` (`type`,`due_key`) WHERE due_key IS NOT NULL;--> statement-breakpoint
CREATE INDEX `events_subscriber` ON `events` (`subscriber_id`,`id`) WHERE subscriber_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `events_isp` ON `events` (`isp_id`,`id`);--> statement-breakpoint
CREATE INDEX `events_written` ON `events` (`written_at`);--> statement-breakpoint
CREATE TABLE `marks` (
	`name` text PRIMARY KEY NOT NULL,
	`value` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `message_rules` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`isp_id` integer NOT NULL,
	`name` text NOT NULL,
	`on` text NOT NULL,
	`event_type` text,
	`offset` integer DEFAULT 0 NOT NULL,
	`audience` text NOT NULL,
	`flag` text,
	`channel_id` integer NOT NULL,
	`template` text NOT NULL,
	`quiet_from` integer,
	`quiet_to` integer,
	`late_by` integer NOT NULL,
	`is_enabled` integer DEFAULT 1 NOT NULL,
	`planned_to` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`isp_id`) REFERENCES `isps`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`channel_id`) REFERENCES `channels`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "message_rules_flags" CHECK("message_rules"."is_enabled" IN (0, 1)),
	CONSTRAINT "message_rules_on" CHECK(("message_rules"."on" = 'event') = ("message_rules"."event_type" IS NOT NULL)),
	CONSTRAINT "message_rules_flag" CHECK(("message_rules"."audience" = 'staff') = ("message_rules"."flag" IS NOT NULL)),
	CONSTRAINT "message_rules_quiet" CHECK(("message_rules"."quiet_from" IS NULL) = ("message_rules"."quiet_to" IS NULL))
) STRICT;
--> statement-breakpoint
CREATE INDEX `message_rules_isp` ON `message_rules` (`isp_id`);--> statement-breakpoint
CREATE INDEX `message_rules_channel` ON `message_rules` (`channel_id`);--> statement-breakpoint
CREATE TABLE `message_templates` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`isp_id` integer NOT NULL,
	`name` text NOT NULL,
	`language` text NOT NULL,
	`subject` text DEFAULT '' NOT NULL,
	`body` text NOT NULL,
	FOREIGN KEY (`isp_id`) REFERENCES `isps`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `message_templates_name` ON `message_templates` (`isp_id`,`name`,`language`);--> statement-breakpoint
CREATE TABLE `messages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`uid` text NOT NULL,
	`isp_id` integer NOT NULL,
	`rule_id` integer,
	`event_id` integer,
	`channel_id` integer NOT NULL,
	`subscriber_id` integer,
	`staff_id` integer,
	`about_id` integer,
	`period` text NOT NULL,
	`state` text DEFAULT 'waiting' NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` integer NOT NULL,
	`next_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	`template` text NOT NULL,
	`address` text,
	`language` text,
	`subject` text,
	`body_sealed` blob,
	`reason` text,
	`words_sealed` blob,
	`written_by` integer,
	FOREIGN KEY (`isp_id`) REFERENCES `isps`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`channel_id`) REFERENCES `channels`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`subscriber_id`) REFERENCES `subscribers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`staff_id`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`about_id`) REFERENCES `subscribers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`written_by`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "messages_person" CHECK(("messages"."subscriber_id" IS NULL) <> ("messages"."staff_id" IS NULL)),
	CONSTRAINT "messages_state" CHECK("messages"."state" IN ('waiting', 'sending', 'sent', 'perhaps', 'failed', 'skipped', 'cancelled'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `messages_uid` ON `messages` (`uid`);--> statement-breakpoint
CREATE UNIQUE INDEX `messages_subscriber_period` ON `messages` (`rule_id`,`subscriber_id`,`period`) WHERE subscriber_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `messages_staff_period` ON `messages` (`rule_id`,`staff_id`,`about_id`,`period`) WHERE staff_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `messages_due` ON `messages` (`channel_id`,`next_at`) WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX `messages_sending` ON `messages` (`channel_id`) WHERE state = 'sending';--> statement-breakpoint
CREATE INDEX `messages_isp` ON `messages` (`isp_id`,`id`);--> statement-breakpoint
CREATE INDEX `messages_state` ON `messages` (`isp_id`,`state`,`id`);--> statement-breakpoint
CREATE INDEX `messages_about` ON `messages` (`subscriber_id`,`id`);--> statement-breakpoint
CREATE INDEX `messages_channel` ON `messages` (`channel_id`,`id`);--> statement-breakpoint
CREATE INDEX `messages_rule` ON `messages` (`rule_id`,`id`);--> statement-breakpoint
CREATE INDEX `messages_event` ON `messages` (`event_id`);--> statement-breakpoint
CREATE TABLE `payment_sources` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`isp_id` integer NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`method` text NOT NULL,
	`settings` text NOT NULL,
	`key_hash` blob,
	`key_sealed` blob,
	`secret_sealed` blob,
	`created_at` integer NOT NULL,
	`disabled_at` integer,
	FOREIGN KEY (`isp_id`) REFERENCES `isps`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payment_sources_kind" CHECK("payment_sources"."kind" IN ('provider', 'signed')),
	CONSTRAINT "payment_sources_key" CHECK(("payment_sources"."kind" = 'provider') = ("payment_sources"."key_hash" IS NOT NULL))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_sources_name` ON `payment_sources` (`isp_id`,`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `payment_sources_key` ON `payment_sources` (`key_hash`) WHERE key_hash IS NOT NULL;--> statement-breakpoint
CREATE TABLE `webhook_attempts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`delivery_id` integer NOT NULL,
	`at` integer NOT NULL,
	`milliseconds` integer NOT NULL,
	`status` integer,
	`error` text,
	`answer` text,
	FOREIGN KEY (`delivery_id`) REFERENCES `webhook_deliveries`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `webhook_attempts_delivery` ON `webhook_attempts` (`delivery_id`);--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`endpoint_id` integer NOT NULL,
	`event_id` integer NOT NULL,
	`subscriber_id` integer,
	`state` text DEFAULT 'waiting' NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_at` integer NOT NULL,
	`ended_at` integer,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "webhook_deliveries_state" CHECK("webhook_deliveries"."state" IN ('waiting', 'delivered', 'failed', 'cancelled'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_deliveries_event` ON `webhook_deliveries` (`endpoint_id`,`event_id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_events` ON `webhook_deliveries` (`event_id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_endpoint` ON `webhook_deliveries` (`endpoint_id`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_state` ON `webhook_deliveries` (`endpoint_id`,`state`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`endpoint_id`,`next_at`) WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX `webhook_deliveries_order` ON `webhook_deliveries` (`endpoint_id`,`subscriber_id`,`event_id`) WHERE state = 'waiting';--> statement-breakpoint
CREATE TABLE `webhook_endpoints` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`isp_id` integer,
	`url` text NOT NULL,
	`note` text,
	`types` text NOT NULL,
	`secret_sealed` blob NOT NULL,
	`former_sealed` blob,
	`former_until` integer,
	`allow_local` integer DEFAULT 0 NOT NULL,
	`slow_until` integer,
	`disabled_at` integer,
	`disabled_reason` text,
	`created_at` integer NOT NULL,
	`created_by` integer,
	FOREIGN KEY (`isp_id`) REFERENCES `isps`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "webhook_endpoints_flags" CHECK("webhook_endpoints"."allow_local" IN (0, 1)),
	CONSTRAINT "webhook_endpoints_former" CHECK(("webhook_endpoints"."former_sealed" IS NULL) = ("webhook_endpoints"."former_until" IS NULL))
) STRICT;
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_isp` ON `webhook_endpoints` (`isp_id`);--> statement-breakpoint
ALTER TABLE `subscribers` ADD `language` text;--> statement-breakpoint
ALTER TABLE `subscribers` ADD `messages_off` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
INSERT OR IGNORE INTO `permission_flags` (`name`) VALUES ('message_view'), ('message_manage'), ('message_send'), ('webhook_manage'), ('payment_receive'), ('payment_match');
