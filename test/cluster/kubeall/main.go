// Command kubeall is a small Kubernetes in one program, with what is needed beside it: the first argument says which part of it runs.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	kubectl "k8s.io/kubectl/pkg/cmd"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllers "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	proxy "k8s.io/kubernetes/cmd/kube-proxy/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"
	metrics "sigs.k8s.io/metrics-server/cmd/metrics-server/app"
)

// parts are the parts that are commands of cobra.
var parts = map[string]func(ctx context.Context) *cobra.Command{
	"apiserver":   func(context.Context) *cobra.Command { return apiserver.NewAPIServerCommand() },
	"controllers": func(context.Context) *cobra.Command { return controllers.NewControllerManagerCommand() },
	"scheduler":   func(context.Context) *cobra.Command { return scheduler.NewSchedulerCommand() },
	"kubelet":     kubelet.NewKubeletCommand,
	"proxy":       func(context.Context) *cobra.Command { return proxy.NewProxyCommand() },
	"kubectl":     func(context.Context) *cobra.Command { return kubectl.NewDefaultKubectlCommand() },
	"metrics":     func(ctx context.Context) *cobra.Command { return metrics.NewMetricsServerCommand(ctx.Done()) },
}

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: kubeall etcd|apiserver|controllers|scheduler|kubelet|proxy|dns|metrics|kubectl|helm [arguments]")
		os.Exit(2)
	}
	os.Args = os.Args[1:]
	switch os.Args[0] {
	case "etcd":
		etcdmain.Main(os.Args)
	case "dns":
		dns()
	case "helm":
		os.Exit(helm(os.Args[1:]))
	default:
		part, ok := parts[os.Args[0]]
		if !ok {
			fmt.Fprintln(os.Stderr, "kubeall: no part is called", os.Args[0])
			os.Exit(2)
		}
		ctx := context.Background()
		if os.Args[0] == "kubelet" {
			var stop context.CancelFunc
			ctx, stop = signal.NotifyContext(ctx, syscall.SIGTERM, os.Interrupt)
			defer stop()
		}
		os.Exit(cli.Run(part(ctx)))
	}
}
