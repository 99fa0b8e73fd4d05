CREATE TABLE `radsec_certificates` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`nas_id` integer NOT NULL,
	`fingerprint` text NOT NULL,
	`address` text NOT NULL,
	`not_after` integer NOT NULL,
	`made_at` integer NOT NULL,
	`made_by` text NOT NULL,
	`revoked_at` integer,
	`bundle_sealed` blob,
	FOREIGN KEY (`nas_id`) REFERENCES `nas`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `radsec_certificates_fingerprint` ON `radsec_certificates` (`fingerprint`);--> statement-breakpoint
CREATE INDEX `radsec_certificates_nas` ON `radsec_certificates` (`nas_id`);--> statement-breakpoint
CREATE TABLE `radsec_keys` (
	`name` text PRIMARY KEY NOT NULL,
	`certificate` text NOT NULL,
	`key_sealed` blob NOT NULL,
	`addresses` text NOT NULL,
	`not_after` integer NOT NULL,
	`made_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
ALTER TABLE `nas` ADD `radsec` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE TRIGGER `radsec_keys_inserted` AFTER INSERT ON `radsec_keys` BEGIN UPDATE `generations` SET `value` = `value` + 1 WHERE `name` = 'configuration'; END;--> statement-breakpoint
CREATE TRIGGER `radsec_keys_updated` AFTER UPDATE ON `radsec_keys` BEGIN UPDATE `generations` SET `value` = `value` + 1 WHERE `name` = 'configuration'; END;--> statement-breakpoint
CREATE TRIGGER `radsec_keys_deleted` AFTER DELETE ON `radsec_keys` BEGIN UPDATE `generations` SET `value` = `value` + 1 WHERE `name` = 'configuration'; END;--> statement-breakpoint
CREATE TRIGGER `radsec_certificates_inserted` AFTER INSERT ON `radsec_certificates` BEGIN UPDATE `generations` SET `value` = `value` + 1 WHERE `name` = 'configuration'; END;--> statement-breakpoint
CREATE TRIGGER `radsec_certificates_updated` AFTER UPDATE ON `radsec_certificates` BEGIN UPDATE `generations` SET `value` = `value` + 1 WHERE `name` = 'configuration'; END;--> statement-breakpoint
CREATE TRIGGER `radsec_certificates_deleted` AFTER DELETE ON `radsec_certificates` BEGIN UPDATE `generations` SET `value` = `value` + 1 WHERE `name` = 'configuration'; END;--> statement-breakpoint
CREATE TRIGGER `radsec_keys_booked` AFTER INSERT ON `radsec_keys` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('radsec_keys', json_array(NEW.`name`)); END;--> statement-breakpoint
CREATE TRIGGER `radsec_keys_booked_updated` AFTER UPDATE ON `radsec_keys` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('radsec_keys', json_array(NEW.`name`)); END;--> statement-breakpoint
CREATE TRIGGER `radsec_keys_booked_deleted` AFTER DELETE ON `radsec_keys` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('radsec_keys', json_array(OLD.`name`)); END;--> statement-breakpoint
CREATE TRIGGER `radsec_certificates_booked` AFTER INSERT ON `radsec_certificates` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('radsec_certificates', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `radsec_certificates_booked_updated` AFTER UPDATE ON `radsec_certificates` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('radsec_certificates', json_array(NEW.`id`)); END;--> statement-breakpoint
CREATE TRIGGER `radsec_certificates_booked_deleted` AFTER DELETE ON `radsec_certificates` WHEN (SELECT `marking` FROM `access_state`) = 1 BEGIN INSERT INTO `book_changes` (`table_name`, `key`) VALUES ('radsec_certificates', json_array(OLD.`id`)); END;
