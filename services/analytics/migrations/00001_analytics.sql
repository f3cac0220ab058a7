-- +goose Up
CREATE TABLE analytics_counts (
    project TEXT   NOT NULL, -- 32 lower-case hex digits
    day     TEXT   NOT NULL, -- date in UTC: 2026-01-31
    event   TEXT   NOT NULL,
    detail  TEXT   NOT NULL, -- method or platform; empty for none
    count   BIGINT NOT NULL,
    PRIMARY KEY (project, day, event, detail)
);
CREATE INDEX analytics_counts_day ON analytics_counts (day);

-- +goose Down
DROP TABLE analytics_counts;
