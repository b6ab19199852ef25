#!/busybox sh
# SPDX-License-Identifier: MIT
# init.sh - the first process of the machine that tests/arm64/kernel.sh starts. It runs a command of the tree, says how the command ended, and
# switches the machine off. The kernel puts TREE, the folder of the tree, into the environment; the last disk has the tree.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb LC_ALL=C.UTF-8
/busybox mkdir -p /bin /proc /dev /root
/busybox --install -s /bin
mount -t proc none /proc
mount -t devtmpfs none /dev
for module in virtio_ring virtio virtio_mmio virtio_blk; do insmod "/modules/$module.ko"; done
# The kernel numbers the disks from the last one on.
mount -t ext4 -o noatime /dev/vdb /root
# Before the tree, which may lie there.
mount -t tmpfs none /root/tmp
mkdir -p "/root$TREE"
mount -t ext4 -o noatime /dev/vda "/root$TREE"
mount -t proc none /root/proc
mount -t sysfs none /root/sys
mount -t devtmpfs none /root/dev
mkdir -p /root/dev/shm /root/dev/pts
mount -t tmpfs none /root/dev/shm
mount -t devpts none /root/dev/pts
ln -s /proc/self/fd /root/dev/fd
# Other users may sample themselves, but not look into the kernel: the kernel's own choice, which Debian's is stricter than.
echo 2 >/proc/sys/kernel/perf_event_paranoid
# Samples take long in an emulator: not for that does the kernel take fewer.
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
ip link set lo up
hostname arm64
cd /
chroot /root /bin/sh -c 'cd "$TREE" && sh build/in-machine'
echo "status: $?"
poweroff -f
