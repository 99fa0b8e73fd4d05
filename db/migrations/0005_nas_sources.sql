CREATE TABLE `nas_sources` (
	`nas_id` integer NOT NULL,
	`address` text NOT NULL,
	`authenticator_seen_at` integer,
	`dropped_since` integer,
	`dropped_last` integer,
	PRIMARY KEY(`nas_id`, `address`),
	FOREIGN KEY (`nas_id`) REFERENCES `nas`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
ALTER TABLE `nas` ADD `mppe` text DEFAULT 'keys' NOT NULL;
--> statement-breakpoint
-- written by hand
-- A latched NAS that is one address stays latched.
INSERT INTO `nas_sources` (`nas_id`, `address`, `authenticator_seen_at`) SELECT `id`, `address`, unixepoch() FROM `nas` WHERE `authenticator_seen` = 1 AND `address` NOT LIKE '%/%';--> statement-breakpoint
-- In a latched network nobody was answered without a Message-Authenticator: whoever was in its last day stays latched; a router that it shut out before starts anew, like one that never asked.
INSERT INTO `nas_sources` (`nas_id`, `address`, `authenticator_seen_at`) SELECT `nas_id`, `nas_address`, unixepoch() FROM (SELECT a.`nas_id`, a.`nas_address`, max(a.`at`) AS `newest`, max(max(a.`at`)) OVER (PARTITION BY a.`nas_id`) AS `newest_of_all`, row_number() OVER (PARTITION BY a.`nas_id` ORDER BY max(a.`at`) DESC) AS `place` FROM `auth_log` a JOIN `nas` n ON n.`id` = a.`nas_id` WHERE n.`authenticator_seen` = 1 AND n.`address` LIKE '%/%' GROUP BY a.`nas_id`, a.`nas_address`) WHERE `newest` > `newest_of_all` - 86400 AND `place` <= 4096;--> statement-breakpoint
-- Another mode, or another address, starts anew.
CREATE TRIGGER `nas_sources_mode` AFTER UPDATE OF `require_message_authenticator` ON `nas` WHEN NEW.`require_message_authenticator` <> OLD.`require_message_authenticator` BEGIN DELETE FROM `nas_sources` WHERE `nas_id` = NEW.`id`; END;--> statement-breakpoint
CREATE TRIGGER `nas_sources_address` AFTER UPDATE OF `address` ON `nas` WHEN NEW.`address` <> OLD.`address` AND NEW.`address` NOT LIKE '%/%' BEGIN DELETE FROM `nas_sources` WHERE `nas_id` = NEW.`id` AND `address` <> NEW.`address`; END;--> statement-breakpoint
-- Whoever holds the latches has set those that come; it has to hear of those that go.
CREATE TRIGGER `nas_sources_deleted` AFTER DELETE ON `nas_sources` BEGIN UPDATE `generations` SET `value` = `value` + 1 WHERE `name` = 'configuration'; END;
