ALTER TABLE `nas` ADD `garden_told` text;
