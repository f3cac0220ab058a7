package main

import (
	"os"

	helmcmd "helm.sh/helm/v4/pkg/cmd"
)

// helm runs Helm and returns its exit code.
func helm(args []string) int {
	cmd, err := helmcmd.NewRootCmd(os.Stdout, args, helmcmd.SetupLogging)
	if err != nil {
		return 1
	}
	if err := cmd.Execute(); err != nil {
		return 1
	}
	return 0
}
