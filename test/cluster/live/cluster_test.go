//go:build cluster

package live

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

const (
	project = "00000000000000000000000000000001"
	// door is where the Service of the gateway is on the node.
	door     = "http://127.0.0.1:30080"
	nodeName = "node0"
)

// cluster is the running cluster.
type cluster struct {
	*kubernetes.Clientset
	// chart is the folder of the chart, and state that of the cluster, which holds its keys and volumes.
	chart, state string
}

func connect(t *testing.T) *cluster {
	t.Helper()
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		t.Fatal(err)
	}
	config.QPS, config.Burst = 100, 200
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return &cluster{client, os.Getenv("HAWSER_CLUSTER_CHART"), os.Getenv("HAWSER_CLUSTER_STATE")}
}

// eventually waits until something holds; it returns how long that took.
func eventually(t *testing.T, what string, within time.Duration, holds func() error) time.Duration {
	t.Helper()
	began := time.Now()
	for {
		err := holds()
		if err == nil {
			return time.Since(began)
		}
		if time.Since(began) > within {
			t.Fatalf("%s: not within %s: %v", what, within, err)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// run runs one of the programs of kubeall, with a manifest at its standard input.
func run(t *testing.T, input []byte, args ...string) (output string) {
	t.Helper()
	output, err := try(t, input, args...)
	if err != nil {
		t.Fatalf("%s: %v", strings.Join(args[:2], " "), err)
	}
	return output
}

func try(t *testing.T, input []byte, args ...string) (output string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 6*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "kubeall", args...)
	var out, complaints bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(input), &out, &complaints
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("%w\n%s%s", err, out.String(), complaints.String())
	}
	return out.String(), nil
}

func (c *cluster) nodeIsReady() error {
	node, err := c.CoreV1().Nodes().Get(context.Background(), nodeName, metav1.GetOptions{})
	if err != nil {
		return err
	}
	for _, condition := range node.Status.Conditions {
		if condition.Type == corev1.NodeReady && condition.Status == corev1.ConditionTrue {
			return nil
		}
	}
	return fmt.Errorf("%s is not ready", nodeName)
}

// namespace makes a namespace that admits restricted pods only.
func (c *cluster) namespace(t *testing.T, name string) {
	t.Helper()
	_, err := c.CoreV1().Namespaces().Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{
		Name: name, Labels: map[string]string{"pod-security.kubernetes.io/enforce": "restricted"},
	}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
}

func (c *cluster) secret(t *testing.T, namespace, name string, values map[string]string) {
	t.Helper()
	_, err := c.CoreV1().Secrets(namespace).Create(t.Context(), &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: name}, StringData: values}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
}

// volumes makes volumes that claims find by the default storage class, each a folder of the machine.
func (c *cluster) volumes(t *testing.T, count int) {
	t.Helper()
	wait := storagev1.VolumeBindingWaitForFirstConsumer
	_, err := c.StorageV1().StorageClasses().Create(t.Context(), &storagev1.StorageClass{
		ObjectMeta:  metav1.ObjectMeta{Name: "local", Annotations: map[string]string{"storageclass.kubernetes.io/is-default-class": "true"}},
		Provisioner: "kubernetes.io/no-provisioner", VolumeBindingMode: &wait,
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for n := range count {
		name := "volume" + strconv.Itoa(n)
		folder := filepath.Join(c.state, "volumes", name)
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		_, err := c.CoreV1().PersistentVolumes().Create(t.Context(), &corev1.PersistentVolume{
			ObjectMeta: metav1.ObjectMeta{Name: name},
			Spec: corev1.PersistentVolumeSpec{
				Capacity:                      corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("10Gi")},
				AccessModes:                   []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
				StorageClassName:              "local",
				PersistentVolumeReclaimPolicy: corev1.PersistentVolumeReclaimRetain,
				PersistentVolumeSource:        corev1.PersistentVolumeSource{Local: &corev1.LocalVolumeSource{Path: folder}},
				NodeAffinity: &corev1.VolumeNodeAffinity{Required: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
					MatchExpressions: []corev1.NodeSelectorRequirement{{Key: corev1.LabelHostname, Operator: corev1.NodeSelectorOpIn, Values: []string{nodeName}}},
				}}}},
			},
		}, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// pods returns the pods of a namespace that have a label, in the order of their names.
func (c *cluster) pods(t *testing.T, namespace, selector string) []corev1.Pod {
	t.Helper()
	list, err := c.CoreV1().Pods(namespace).List(t.Context(), metav1.ListOptions{LabelSelector: selector})
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(list.Items, func(p corev1.Pod) bool { return p.DeletionTimestamp != nil })
}

// restarts returns how often the only container of a pod was started again, and whether it is ready.
func (c *cluster) restarts(namespace, name string) (times int32, ready bool, err error) {
	p, err := c.CoreV1().Pods(namespace).Get(context.Background(), name, metav1.GetOptions{})
	if err != nil || len(p.Status.ContainerStatuses) == 0 {
		return 0, false, err
	}
	return p.Status.ContainerStatuses[0].RestartCount, p.Status.ContainerStatuses[0].Ready, nil
}

// kill kills the processes of a pod, except the one that holds its namespaces, and waits until the pod is ready again.
func (c *cluster) kill(t *testing.T, p corev1.Pod) (down time.Duration) {
	t.Helper()
	before, _, err := c.restarts(p.Namespace, p.Name)
	if err != nil {
		t.Fatal(err)
	}
	if killed := killProcesses(t, string(p.UID)); killed == 0 {
		t.Fatalf("%s has no process", p.Name)
	}
	return eventually(t, p.Name+" is ready again", 2*time.Minute, func() error {
		now, ready, err := c.restarts(p.Namespace, p.Name)
		if err == nil && (now == before || !ready) {
			err = fmt.Errorf("started again %d times, ready %t", now-before, ready)
		}
		return err
	})
}

func killProcesses(t *testing.T, pod string) (killed int) {
	t.Helper()
	for _, pid := range processesOf(t, pod) {
		command, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cmdline"))
		if program, _, _ := bytes.Cut(command, []byte{0}); string(program) != "/pause" && syscall.Kill(pid, syscall.SIGKILL) == nil {
			killed++
		}
	}
	return killed
}

// processesOf returns the processes of a pod, the one that holds its namespaces among them.
func processesOf(t *testing.T, pod string) (pids []int) {
	t.Helper()
	groups, err := filepath.Glob("/proc/[0-9]*/cgroup")
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range groups {
		content, err := os.ReadFile(group)
		if err != nil || !strings.Contains(string(content), "pod"+pod) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(group))); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// password returns a password that needs no escape in a URL, and begins with a letter.
func password() string { return "p" + strings.ToLower(rand.Text()) }
