package console

import (
	"context"
	"strings"

	adminv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/admin/v1"
	"github.com/hawser-dev/hawser/services/platform/config"
)

// sources are the sources of the proto.
var sources = map[config.Source]adminv1.SettingSource{
	config.FromDefault:  adminv1.SettingSource_SETTING_SOURCE_DEFAULT,
	config.FromFile:     adminv1.SettingSource_SETTING_SOURCE_FILE,
	config.FromVariable: adminv1.SettingSource_SETTING_SOURCE_VARIABLE,
	config.FromFlag:     adminv1.SettingSource_SETTING_SOURCE_FLAG,
}

// settingServer implements SettingService.
type settingServer struct {
	adminv1.UnimplementedSettingServiceServer
	*server
}

// ListSettings returns every setting of this process.
func (s settingServer) ListSettings(context.Context, *adminv1.ListSettingsRequest) (*adminv1.ListSettingsResponse, error) {
	all, err := s.deps.Settings()
	if err != nil {
		return nil, err
	}
	res := &adminv1.ListSettingsResponse{Target: s.deps.Target}
	for _, f := range all {
		res.Settings = append(res.Settings, &adminv1.Setting{
			Key: f.Key, Value: f.Value, Secret: f.Secret, Set: f.Set, Source: sources[f.Source], Origin: f.Where, DefaultValue: f.Default, Description: f.Doc,
			Document: "/settings.md#" + anchor(f.Key),
		})
	}
	return res, nil
}

// anchor returns the anchor of a heading of the documentation.
func anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		if r == '.' {
			return -1
		}
		return r
	}, strings.ToLower(heading))
}
