CREATE TABLE `access_boxes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`nkey` text NOT NULL,
	`seal_key` text NOT NULL,
	`scope` text,
	`journal` integer DEFAULT 0 NOT NULL,
	`heard_at` integer,
	`state` text,
	`created_at` integer NOT NULL,
	`created_by` integer,
	`removed_at` integer,
	FOREIGN KEY (`created_by`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `access_boxes_name` ON `access_boxes` (`name`) WHERE removed_at IS NULL;--> statement-breakpoint
CREATE TABLE `access_keys` (
	`key` text PRIMARY KEY NOT NULL,
	`subject` text NOT NULL,
	`epoch` integer DEFAULT 0 NOT NULL,
	`number` integer DEFAULT 0 NOT NULL,
	`is_gone` integer DEFAULT 0 NOT NULL,
	`included` integer DEFAULT 0 NOT NULL,
	`row_id` integer
) STRICT;
--> statement-breakpoint
CREATE TABLE `access_marks` (
	`key` text PRIMARY KEY NOT NULL,
	`mark` integer NOT NULL,
	`is_soon` integer DEFAULT 1 NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `access_marks_soon` ON `access_marks` (`is_soon`) WHERE is_soon = 1;--> statement-breakpoint
CREATE TABLE `access_state` (
	`id` integer PRIMARY KEY NOT NULL,
	`role` text DEFAULT 'books' NOT NULL,
	`marking` integer DEFAULT 0 NOT NULL,
	`epoch` integer DEFAULT 0 NOT NULL,
	`number` integer DEFAULT 0 NOT NULL,
	`key_sealed` blob,
	`key_number` integer DEFAULT 0 NOT NULL,
	`seed_sealed` blob,
	`pair_sealed` blob,
	`over_since` integer,
	`pending` text,
	`beat_at` integer,
	`bucket` text,
	`highest` integer DEFAULT 0 NOT NULL,
	`box_id` integer,
	`home` integer DEFAULT 0 NOT NULL,
	`link` text,
	CONSTRAINT "access_state_one" CHECK("access_state"."id" = 1),
	CONSTRAINT "access_state_flags" CHECK("access_state"."marking" IN (0, 1))
) STRICT;
--> statement-breakpoint
CREATE TABLE `journal` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`at` integer NOT NULL,
	`boot` text NOT NULL,
	`uptime` integer NOT NULL,
	`subscriber_id` integer,
	`card_id` integer,
	`octets` integer DEFAULT 0 NOT NULL,
	`seconds` integer DEFAULT 0 NOT NULL,
	`body` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `journal_subscriber` ON `journal` (`subscriber_id`,`number`) WHERE subscriber_id IS NOT NULL AND octets > 0;--> statement-breakpoint
CREATE INDEX `journal_card` ON `journal` (`card_id`,`number`) WHERE card_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `via_box` integer;--> statement-breakpoint
INSERT INTO `access_state` (`id`) VALUES (1);--> statement-breakpoint
CREATE TRIGGER `subscribers_marked` AFTER INSERT ON `subscribers` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('s.' || NEW.`id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `subscribers_marked_updated` AFTER UPDATE OF `isp_id`, `branch_id`, `username_key`, `password_sealed`, `connection_type_id`, `static_ip`, `framed_ipv6_prefix`, `delegated_ipv6_prefix`, `mac_address`, `mac_lock`, `mac_login`, `status`, `archived_at`, `any_connection` ON `subscribers` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('s.' || NEW.`id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `subscribers_marked_deleted` AFTER DELETE ON `subscribers` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('s.' || OLD.`id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `services_marked` AFTER INSERT ON `services` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('s.' || NEW.`subscriber_id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `services_marked_updated` AFTER UPDATE OF `subscriber_id`, `package_id`, `password_sealed`, `nt_hash_sealed`, `expires_at`, `activated_at`, `quota_total`, `quota_crossed_at`, `rate_limit`, `quota_exceeded`, `framed_pool`, `framed_ipv6_pool`, `delegated_ipv6_pool`, `address_list`, `expired_pool`, `expired_address_list`, `simultaneous_use`, `idle_timeout`, `frozen_at` ON `services` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('s.' || NEW.`subscriber_id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `services_marked_deleted` AFTER DELETE ON `services` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('s.' || OLD.`subscriber_id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `services_marked_used` AFTER UPDATE OF `quota_used` ON `services` WHEN (SELECT `marking` FROM `access_state`) = 1 AND (NEW.`quota_total` > 0) BEGIN INSERT INTO `access_marks` VALUES ('s.' || NEW.`subscriber_id`, 1, 0) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1; END;--> statement-breakpoint
CREATE TRIGGER `cards_marked` AFTER INSERT ON `cards` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('c.' || NEW.`id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `cards_marked_updated` AFTER UPDATE OF `batch_id`, `code_key`, `state`, `first_used_at`, `ends_at`, `used_up_at`, `locked_mac` ON `cards` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('c.' || NEW.`id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `cards_marked_deleted` AFTER DELETE ON `cards` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('c.' || OLD.`id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `cards_marked_used` AFTER UPDATE OF `used_seconds`, `used_octets` ON `cards` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('c.' || NEW.`id`, 1, 0) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1; END;--> statement-breakpoint
CREATE TRIGGER `card_batches_marked` AFTER INSERT ON `card_batches` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('b.' || NEW.`id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `card_batches_marked_updated` AFTER UPDATE ON `card_batches` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('b.' || NEW.`id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `card_batches_marked_deleted` AFTER DELETE ON `card_batches` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('b.' || OLD.`id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `nas_marked` AFTER INSERT ON `nas` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('n.' || NEW.`id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `nas_marked_updated` AFTER UPDATE ON `nas` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('n.' || NEW.`id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `nas_marked_deleted` AFTER DELETE ON `nas` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('n.' || OLD.`id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `nas_sources_marked` AFTER INSERT ON `nas_sources` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('n.' || NEW.`nas_id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `nas_sources_marked_updated` AFTER UPDATE OF `authenticator_seen_at` ON `nas_sources` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('n.' || NEW.`nas_id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `nas_sources_marked_deleted` AFTER DELETE ON `nas_sources` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `access_marks` VALUES ('n.' || OLD.`nas_id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `settings_marked` AFTER INSERT ON `settings` WHEN (SELECT `marking` FROM `access_state`) = 1 AND (NEW.`isp_id` = 0) BEGIN INSERT INTO `access_marks` VALUES ('g.' || NEW.`key`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `settings_marked_updated` AFTER UPDATE ON `settings` WHEN (SELECT `marking` FROM `access_state`) = 1 AND (NEW.`isp_id` = 0) BEGIN INSERT INTO `access_marks` VALUES ('g.' || NEW.`key`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `settings_marked_deleted` AFTER DELETE ON `settings` WHEN (SELECT `marking` FROM `access_state`) = 1 AND (OLD.`isp_id` = 0) BEGIN INSERT INTO `access_marks` VALUES ('g.' || OLD.`key`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `sessions_marked` AFTER INSERT ON `sessions` WHEN (SELECT `marking` FROM `access_state`) = 1 AND (NEW.`stopped_at` IS NULL AND (NEW.`subscriber_id` IS NOT NULL OR NEW.`card_id` IS NOT NULL)) BEGIN INSERT INTO `access_marks` VALUES ('o.' || NEW.`id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;--> statement-breakpoint
CREATE TRIGGER `sessions_marked_updated` AFTER UPDATE OF `stopped_at`, `via_box`, `subscriber_id`, `mac`, `class` ON `sessions` WHEN (SELECT `marking` FROM `access_state`) = 1 AND ((NEW.`subscriber_id` IS NOT NULL OR NEW.`card_id` IS NOT NULL) AND (NEW.`stopped_at` IS NULL) + (OLD.`stopped_at` IS NULL) > 0 AND ((NEW.`stopped_at` IS NULL) <> (OLD.`stopped_at` IS NULL) OR NEW.`via_box` IS NOT OLD.`via_box` OR NEW.`subscriber_id` IS NOT OLD.`subscriber_id` OR NEW.`mac` IS NOT OLD.`mac` OR NEW.`class` IS NOT OLD.`class`)) BEGIN INSERT INTO `access_marks` VALUES ('o.' || NEW.`id`, 1, 1) ON CONFLICT (`key`) DO UPDATE SET `mark` = `mark` + 1, `is_soon` = 1; END;
